import type { questionEn } from './en-question';
import type { Shape } from './shape';

/** Simplified Chinese texts of help requests. */
export const questionZh: Shape<typeof questionEn> = {
  label: '{name} 请求人工协助',
  asks: '{name} 需要您',
  left: '{unit, select, now {即将结束} seconds {剩余 {n} 秒} minutes {剩余 {n} 分钟} hours {剩余 {n} 小时} other {剩余 {n} 天}}',
  more: '{n, plural, other {另有 # 个请求}}',
  about: '关于 {element}',
  note: '给 {name} 的留言',
  notePlaceholder: '{name} 需要知道的内容',
  answer: '答复',
  done: '已完成',
  couldNot: '无法完成',
  sendNote: '发送留言',
  doneBack: '已完成，交还',
  claim: '我来处理',
  unclaim: '不再处理',
  claimFailed: '未能通知其他人',
  youOnIt: '您正在处理，不再提醒其他人。',
  mine: '您正在处理',
  personOnIt: '{name} 正在处理',
  failed: '您的答复未送达',
  answered: '{name} 已收到您的答复。',
  card: '{name} 请求：“{reason}”',
  cardClaimed: '{person} 正在处理。{name} 请求：“{reason}”',
  cardMine: '您正在处理。{name} 请求：“{reason}”',
  calls: '智能体需要您时',
  sound: '提示音',
  notices: '通知',
  noticesBlocked: '通知：已被浏览器禁止',
};
