import type { egressEn } from './en-egress';
import type { Shape } from './shape';

/** Simplified Chinese texts about where pages may go. */
export const egressZh: Shape<typeof egressEn> = {
  legend: '页面可以访问',
  kind: {
    workspace: '服务器允许的所有地址',
    session: '工作区允许的所有地址',
    open: '公共互联网',
    listed: '仅列出的网站',
  },
  kindHint: {
    workspace: '在服务器允许时也包括私有地址，适合本地开发。',
    session: '会话没有自己的规则。',
    open: '所有公共地址。私有地址（例如您的内部网络）会被拒绝。',
    listed: '只有这些网站，其他一律拒绝。',
  },
  sites: '网站',
  sitesHint: 'example.com，*.example.com 表示其所有子域，或 example.com:8443。每行一个，可一次粘贴多个。',
  count: '{n, plural, =0 {还没有网站} other {# 个网站}}',
  many: '列表最多 {most} 个网站，当前有 {n} 个',
  line: '第 {line} 行：',
  fault: {
    address: '是一个地址。只写网站，不要 https://、路径和用户名。',
    star: '星号的位置不对，只能放在开头：*.example.com。',
    port: '端口无效。端口是 1 到 65535 的数字。',
    long: '超过 {most} 个字符。',
    unreadable: '不是网站。请写 example.com、*.example.com 或 example.com:8443。',
  },
  cure: '改为 {site}',
  moreBad: '还有 {n, plural, other {# 行}}',
  words: { listed: '仅列出的网站：{sites}', more: '{sites} 等，另有 {n} 个' },
  try: {
    label: '试一个地址',
    check: '检查',
    bad: '这不是网页地址。请写 example.com 或 https://example.com/path。',
    failed: '地址未能检查。',
    allowed: '允许访问。',
    by: { server: '被服务器拒绝：', workspace: '被此工作区拒绝：', session: '被此会话拒绝：' },
    rule: {
      'own-port': '它属于 Wheelhouse 本身。',
      'debug-port': '它控制着一个浏览器。',
      metadata: '它会交出这台机器的凭据。',
      private: '它是私有地址。',
      unlisted: '该网站不在列表中。',
      'no-session': '只有会话可以使用网络。',
      scheme: '页面只使用 http 和 https。',
      'no-name': '该名称没有对应的地址。',
    },
  },
};
