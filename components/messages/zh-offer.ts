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
    leadHuman: '请求操作权后即可在这里点击和输入，{name} 有几秒钟时间答复。',
    take: '接手',
    ask: '请求操作权',
    watch: '继续观看',
    label: '谁在操作',
  },
};
