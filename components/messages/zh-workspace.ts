import type { workspaceEn } from './en-workspace';
import type { Shape } from './shape';

/** Simplified Chinese texts of the settings of a workspace. */
export const workspaceZh: Shape<typeof workspaceEn> = {
  title: '工作区',
  lead: '对此工作区所有人生效的设置：名称、页面可以访问的地址，以及会话保留多久。',
  failed: '无法加载工作区的设置。',
  readOnly: '您可以查看这些设置，由管理员和所有者更改。',
  save: '保存',
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
    quoted: '“{name}”',
    empty: '名称至少需要一个可见字符。',
    long: '名称最多 {most} 个字符，当前为 {n, number} 个。',
  },
  secondFactor: {
    title: '两步验证',
    lead: '仅凭密码可能被猜到或盗取。应用验证码、通行密钥和身份提供方都算作两步验证。',
    label: '此处所有人都需要两步验证',
    hint: '登录时未使用的人在设置之前看不到任何内容，已打开的内容会立即停止。智能体的密钥继续有效。',
    required: '所有人都需要两步验证',
    free: '不要求两步验证',
  },
  egress: {
    title: '外部访问',
    lead: '此工作区的页面可以访问哪些地址。会话可以更严格，不能更宽松。更改立即生效，并断开已有连接。',
    tryUnsaved: '按上面的选择检查，该选择尚未保存。',
  },
  idle: {
    title: '闲置会话',
    lead: '无人使用的会话可以在提醒之后自动结束。工作区与会话的期限以较短者为准。',
    label: '无人使用的会话',
    never: '不自动结束，除非创建者另有设置',
    minutes: '{n, plural, other {# 分钟}}后结束',
    hours: '{n, plural, other {# 小时}}后结束',
    days: '{n, plural, other {# 天}}后结束',
  },
  end: {
    title: '终止工作区',
    lead: '其中的一切都会对所有人终止，且无法撤销。',
    first: '这是服务器的第一个工作区，与服务器共存。',
    owners: '只有所有者可以终止工作区。',
    ask: '终止此工作区…',
    question: '终止“{name}”？',
    what: '以下内容会立即终止，且无法撤销：',
    count: {
      sessions: '{n, plural, other {# 个会话及其页面}}',
      browsers: '{n, plural, other {# 个浏览器}}',
      keys: '{n, plural, other {# 个密钥，使用它们的程序会断开}}',
      invitations: '{n, plural, other {# 个未使用的邀请}}',
      members: '{n, plural, other {# 位成员的资格}}；不在其他工作区的人会被退出登录',
    },
    countFailed: '无法统计将要终止的内容。',
    type: '请输入其名称以确认：',
    do: '对所有人终止',
    failed: '工作区未能终止。',
  },
};
