import type { peopleEn } from './en-people';
import type { Shape } from './shape';

/** Simplified Chinese texts for who is here. */
export const peopleZh: Shape<typeof peopleEn> = {
  people: {
    list: '在场的人和智能体',
    owner: '所有者',
    agent: '智能体',
    human: '人',
    system: '服务器',
    driving: '正在操作',
    watchingTab: '正在看 {title}',
    away: '离开',
    flagged: '无视拒绝',
    flaggedNamed: '{name} 无视拒绝',
    flaggedWhat: '{name} 没有控制权却不断操作，每次都被拒绝；在它停下之前不再受理。页面不受任何影响。',
    grants: '可以：{grants}',
    grant: {
      watch: '观看',
      drive: '操作',
      evaluate: '运行脚本',
      files: '使用文件',
      clipboard: '使用剪贴板',
      share: '分享',
      manage: '管理',
    },
    empty: '还没有人在场。',
  },
};
