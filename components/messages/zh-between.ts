import type { betweenEn } from './en-between';
import type { Shape } from './shape';

/** Simplified Chinese texts of what people do between themselves. */
export const betweenZh: Shape<typeof betweenEn> = {
  pause: {
    label: '智能体已暂停',
    mine: '您已暂停智能体。',
    others: '{name} 已暂停智能体。',
    what: '智能体的操作会等到恢复之后，读取页面不受影响',
    pause: '暂停智能体',
    resume: '继续',
    failed: '未能暂停智能体',
    resumeFailed: '未能让智能体继续',
  },
  idle: {
    label: '此会话即将结束',
    ends: '此处没有任何活动：会话将在 {n} 秒后结束。',
    short: '{n} 秒后结束',
    stay: '保留',
    stayFailed: '未能保留会话',
    limit: '闲置时结束',
    never: '从不',
    after: '{n, plural, other {# 分钟后}}',
    afterHours: '{n, plural, other {# 小时后}}',
  },
};
