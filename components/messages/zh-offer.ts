import type { offerEn } from './en-offer';
import type { Shape } from './shape';

/** Simplified Chinese texts for offering the wheel to somebody who does not drive. */
export const offerZh: Shape<typeof offerEn> = {
  offer: {
    agent: '{name} 正在操作',
    free: '当前无人操作',
    human: '{name} 正在操作',
    lead: '接手后即可在这里点击和输入。',
    leadAgent: '接手后即可在这里点击和输入，智能体会立即停下并等您。',
    leadHuman: '您可以继续观看，对方交还后即可接手。',
    take: '接手',
    watch: '继续观看',
    label: '谁在操作',
  },
  firstClick: {
    label: '要接手吗？',
    ask: '接手并点击此处？',
    askHuman: '向 {name} 请求操作权，以点击此处？',
    lead: '{name} 会立即停下并等您。',
    leadHuman: '{name} 正在操作，有几秒钟时间答复。',
    take: '接手',
    request: '请求',
    notNow: '暂不',
    waiting: '正在等待 {name} 答复…',
    stop: '不再请求',
    made: '操作权归您，页面已收到您的点击。',
    notMade: '您的点击没有执行',
    kept: '{name} 保留了操作权。',
    again: '操作权已归您：请看清画面后再点击。',
    dropped: {
      late: '时间太晚了。',
      silent: '页面现在没有响应。',
      page: '此后显示的是另一个页面。',
      size: '此后页面的大小变了。',
      element: '此后该处是别的内容。',
      moved: '此后您瞄准的内容移动了。',
      changed: '此后您瞄准的内容变了。',
    },
  },
};
