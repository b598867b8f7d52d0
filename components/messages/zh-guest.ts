import type { guestEn } from './en-guest';
import type { Shape } from './shape';

/** Simplified Chinese texts for guests of a share link (AU4). */
export const guestZh: Shape<typeof guestEn> = {
  title: '分享给您',
  opening: '正在打开分享内容…',
  bar: '此链接允许的操作',
  by: '{by} 的分享',
  may: '您可以{what}',
  what: { watch: '观看', drive: '操作', files: '使用文件', clipboard: '复制和粘贴' },
  until: '有效期至 {time}',
  untilIs: '链接将于 {time} 失效',
  oneTab: '仅此标签页',
  leave: '离开',
  name: {
    change: '您在此处的名称：{name}',
    title: '您在此处的名称',
    lead: '其他人会在名称前看到“Guest:”。',
    label: '名称',
    wrong: '请换一个名称：1 到 40 个字符，且不能是 Wheelhouse 保留的名称。',
    failed: '名称未能更改。',
    save: '使用此名称',
  },
  passcode: {
    heading: '此链接需要口令',
    lead: '请向分享者索取。',
    label: '口令',
    wrong: '口令不正确。',
    tooOften: '来自此处的错误口令过多，请一刻钟后再试。',
    open: '打开',
  },
  failed: {
    heading: '链接未能打开',
    lead: '链接可能仍然有效，请重试。',
    what: '链接没有打开。',
  },
  again: '重试',
  back: '继续观看',
  over: {
    revoked: {
      heading: '此链接已被终止',
      lead: '分享者终止了此链接。如仍需要，请索取新链接。',
    },
    expired: {
      heading: '此链接已过期',
      lead: '如仍需要，请向分享者索取新链接。',
    },
    session: {
      heading: '分享的内容已结束',
      lead: '此链接对应的浏览器会话已关闭，没有更多内容可看。',
    },
    maker: {
      heading: '此链接已失效',
      lead: '分享者不再有权分享此内容，请与其联系。',
    },
    unknown: {
      heading: '此网址无法打开任何内容',
      lead: '请打开收到的完整网址，包括 # 之后的部分。如果已是完整网址，请索取新链接。',
    },
    changed: {
      heading: '此链接更换了口令',
      lead: '请重新打开完整网址，并向分享者索取口令。',
    },
    full: {
      heading: '观看人数已达此链接的上限',
      lead: '有人离开约一分钟后会空出位置，届时请重试。',
    },
    left: {
      heading: '您已离开',
      lead: '其他人不再看到您。只要链接仍有效，您可以从本页返回。',
    },
  },
};
