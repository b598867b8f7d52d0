import type { workspaceEn } from './en-workspace';
import type { Shape } from './shape';

/** Simplified Chinese texts of the settings of a workspace. */
export const workspaceZh: Shape<typeof workspaceEn> = {
  title: '工作区',
  lead: '对此工作区所有人生效的设置：名称、页面可以访问的地址，以及会话保留多久。',
  failed: '无法加载工作区的设置。',
  readOnly: '您可以查看这些设置，由管理员和所有者更改。',
  save: '保存',
  saved: '已保存。',
  undo: '撤销',
  saveFailed: '未能保存。',
  overtaken: {
    title: '您编辑时，另一位管理员更改了此项',
    now: '现在是：',
    mine: '保留我的更改',
    theirs: '采用对方的更改',
  },
  name: {
    title: '名称',
    lead: '显示在页眉、邀请和日志中。',
    label: '工作区名称',
    empty: '名称至少需要一个可见字符。',
    long: '名称最多 {most} 个字符，当前为 {n, number} 个。',
  },
};
