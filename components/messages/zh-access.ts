import type { accessEn } from './en-access';
import type { Shape } from './shape';

/** Simplified Chinese texts about who may enter a session. */
export const accessZh: Shape<typeof accessEn> = {
  access: {
    isOpen: '对工作区开放',
    isWatchOnly: '对工作区开放，仅限观看',
    isNamed: '仅限指定的人',
    change: '访问权限…',
    title: '谁可以进入此会话',
    lead: '更改立即生效，对已在此处的人也一样。',
    openLegend: '开放范围',
    open: { workspace: '工作区', named: '指定的人和密钥' },
    openHint: {
      workspace: '所有人，权限取决于其在工作区的角色。',
      named: '对其他人不存在。会话所有者和管理员始终可以进入。',
    },
    watchOnly: '其他人只能观看',
    watchOnlyHint: '会话所有者、管理员和下列有角色的人仍可操作。',
    roles: '此会话中的角色',
    rolesHint: '观察者可观看，协作者还可操作，主持人还可运行脚本、分享、暂停和结束会话。',
    owner: '所有者',
    role: { observer: '观察者', peer: '协作者', moderator: '主持人' },
    roleOf: '{name} 的角色',
    remove: '取消 {name} 的角色',
    who: '人或密钥',
    keyNamed: '密钥“{name}”',
    newRole: '角色',
    add: '添加',
    failed: '未作任何更改。',
  },
  outgoing: {
    is: {
      workspace: '页面可访问工作区允许的所有地址',
      open: '页面只能访问公共互联网',
      listed: '页面只能访问列出的网站',
      advisory: '已附加的 Chrome：只检查发送给它的地址',
    },
    fold: '外部访问：',
    open: '外部访问…',
    title: '此会话的页面可以访问哪些地址',
    lead: '不超出工作区允许的范围。更改立即生效，并断开已有连接。',
    readOnly: '由会话所有者、主持人和管理员更改。',
    workspace: '工作区允许：',
    save: '保存',
    failed: '未能更改。',
    loadFailed: '无法加载规则。',
  },
};
