import type { rightsEn } from './en-rights';
import type { Shape } from './shape';

/** Simplified Chinese texts about what a person may see and do. */
export const rightsZh: Shape<typeof rightsEn> = {
  needed: {
    title: '需要两步验证',
    heading: '“{name}”要求两步验证',
    lead: '您登录时没有使用。设置验证器应用的验证码或通行密钥之后，即可看到这里的一切。',
    cure: '在账户中设置',
    other: '只需一分钟，设置后本次登录立即有效。如果您已有通行密钥或身份提供方账户，也可以改用它登录。',
    again: '重新登录',
    elsewhere: '或前往其他工作区：',
  },
  account: {
    needed: '“{name}”要求两步验证。请在本页设置验证码或通行密钥，设置后立即可以进入。',
    done: '已完成：“{name}”已对您开放。',
    open: '打开“{name}”',
  },
  hidden: {
    title: '您无权查看',
    people: '只有“{name}”的管理员和所有者可以查看成员。',
    keys: '只有“{name}”的成员、管理员和所有者可以使用密钥。',
    log: '只有“{name}”的管理员和所有者可以查看日志。',
    about: '只有此服务器的所有者可以查看其状态。',
    role: '您在此处的角色是{role}。',
    ask: '如需此页面，请让“{name}”的管理员或所有者更改您的角色。',
    askServer: '请联系运行此服务器的人。',
    account: '前往账户',
  },
  watch: {
    taken: '您现在只能观看',
    takenRole: '您的角色已改为{role}，正在进行的操作已停止。',
    takenSession: '此会话的访问权限已更改，正在进行的操作已停止。',
    given: '您又可以操作了',
    takenLink: '分享者更改了此链接，正在进行的操作已停止。',
    givenLink: '您现在可以操作了',
    askMaker: '如需操作，请联系分享者。',
    ask: '如需操作，请联系管理员或此会话的主持人。',
  },
};
