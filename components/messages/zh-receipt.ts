import type { receiptEn } from './en-receipt';
import type { Shape } from './shape';

/** Simplified Chinese texts of receipts. */
export const receiptZh: Shape<typeof receiptEn> = {
  open: '查看智能体会得知的内容',
  lead: '{name} 会在下一次回复中得知以下内容。',
  agent: '智能体',
  note: '留言',
  did: '做了什么',
  didNothing: '没有操作页面。',
  address: '地址',
  stayed: '仍是同一页面。',
  tabs: '标签页',
  opened: '已打开',
  closed: '已关闭',
  downloads: '下载',
  download: { running: '仍在下载', done: '已完成', failed: '失败' },
  cookies: 'Cookie（仅名称）',
  added: '新增',
  changed: '更改',
  removed: '移除',
  page: '自智能体上次查看以来页面的变化',
  refs: '智能体已有的引用',
  kept: '仍然有效',
  rebound: '已改变',
  invalid: '已失效',
  cut: '已省略',
  willBeTold: '{name} 会得知',
  willBeToldOf: '{name} 会得知：{n, plural, other {# 项操作}}',
  earlier: '{n, plural, other {此前还有 # 项操作}}',
  nothingYet: '暂无。您在页面上的操作会在停顿后列出。',
};
