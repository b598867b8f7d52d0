import type { ringsEn } from './en-rings';
import type { Shape } from './shape';

/** 页面的控制台与网络。 */
export const ringsZh: Shape<typeof ringsEn> = {
  findLine: '在控制台中查找…',
  findRequest: '按地址查找…',
  level: '显示哪些行',
  levels: { all: '全部', warnings: '警告和错误', errors: '仅错误' },
  names: { error: '错误', warning: '警告', info: '信息', log: '日志', debug: '调试' },
  kind: '显示哪些请求',
  kinds: { all: '全部请求', failed: '仅失败', document: '文档', fetch: 'Fetch 和 XHR', script: '脚本', stylesheet: '样式', image: '图片', websocket: 'WebSocket' },
  clear: '清空列表',
  clearFailed: '列表未能清空',
  har: '下载 HAR',
  lines: '控制台内容',
  requests: '页面的请求',
  loading: '正在加载…',
  noLines: '页面还没有输出任何内容，也没有报错。',
  noRequests: '页面还没有发出网络请求。',
  noneFits: '没有符合条件的内容。',
  dropped: '{n, plural, other {突发期间中间有 # 条未能保留}}',
  failedShort: '失败',
  blockedShort: '已拦截',
  took: '{n} 毫秒',
  bytes: '{n} 字节',
  cached: '来自缓存',
  download: '下载',
  from: { frame: '框架', worker: 'Worker', 'shared-worker': '共享 Worker', 'service-worker': 'Service Worker' },
  fromLong: '来自{what} {url}',
  sent: '请求标头',
  received: '响应标头',
};
