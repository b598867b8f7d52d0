import type { presenceEn } from './en-presence';
import type { Shape } from './shape';

/** Simplified Chinese texts about who is here. */
export const presenceZh: Shape<typeof presenceEn> = {
  presence: {
    here: '{n, plural, other {另有 # 位在场}}',
    all: '所有在场者',
    person: '{name}：{is}',
    standing: {
      drives: '正在操作',
      asks: '请求操作权',
      hand: '已举手',
      'may-drive': '可以操作',
      watches: '仅观看',
    },
    menu: '更多：{name}',
    follow: '跟随',
    followNamed: '跟随 {name}',
    following: '正在跟随 {name}',
    stop: '停止跟随',
    away: '暂时离开',
    left: '{name} 已离开，跟随已结束。',
    go: '前往其标签页',
    looking: '正在看：{names}',
    raise: '举手',
    lower: '放下手',
    handFailed: '未能举手或放下',
    handUp: '{name} {n, plural, =0 {已举手} other {和另外 # 位已举手}}',
    hand: '移交操作权',
    take: '接手',
    takeAfterGrace: '3 秒后接手',
    asksOther: '{name} 向 {holder} 请求操作权',
    passesOther: '{name} 即将从 {holder} 处接手',
  },
};
