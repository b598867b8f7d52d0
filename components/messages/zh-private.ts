import type { privateEn } from './en-private';
import type { Shape } from './shape';

/** Simplified Chinese texts for holding a page privately. */
export const privateZh: Shape<typeof privateEn> = {
  private: {
    start: '私密',
    startWhat: '输入机密内容时，对其他所有人隐藏此页面',
    end: '结束私密',
    failed: '无法将页面设为私密',
    endFailed: '未能结束私密状态',
    sign: '私密：只有您能看到此页面',
    lead: '它的画面、文字和记录都不会传给任何人。结束后其他人会重新看到页面；您输入过的字段在智能体读取时仍被遮盖，但智能体运行的脚本或页面本身仍可能显示其中的内容。',
    reason: '给其他人看的原因',
    reasonPlaceholder: '原因（其他人可见）',
    untilField: '离开输入框时结束',
    mine: '您已将此页面设为私密。在您结束之前，不会读取其中任何内容。',
    others: '{name} 正在输入私密内容',
    othersLead: '在对方完成之前，页面处于隐藏状态。',
    panel: '页面处于私密状态时，不会读取其中任何内容。',
  },
};
