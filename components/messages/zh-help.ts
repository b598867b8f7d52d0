import type { helpEn } from './en-help';
import type { Shape } from './shape';

/** Simplified Chinese texts of problems of a session and of their remedies. */
export const helpZh: Shape<typeof helpEn> = {
  down: {
    guest: '它恢复运行后，画面会自动出现。',
    title: 'Chrome 已退出',
    leadShort: '浏览器崩溃了，或被外部结束',
    offer:
      '新浏览器会{tabs, plural, =0 {打开保存过的标签页，没有则打开一个空标签页} other {按原地址重新打开 # 个标签页}}。Cookie 和本地存储恢复到上次保存时的样子；会话存储和 IndexedDB 会丢失。',
    attached:
      '所连接的 Chrome 不会被重新启动；Wheelhouse 会启动自己的浏览器。那里的内容没有保存：网站会要求您重新登录。',
    offerBare:
      '新浏览器会{tabs, plural, =0 {打开保存过的标签页，没有则打开一个空标签页} other {按原地址重新打开 # 个标签页}}。',
    start: '启动新浏览器',
    startShort: '新浏览器',
    starting: '正在启动新浏览器…',
    started: '新浏览器已启动。',
    failed: '未能启动新浏览器',
    end: '结束会话…',
  },
  blocked: {
    page: '此网页已被拦截',
    many: '本会话的网页反复访问不允许的地址：已拦截 {count, plural, other {# 个请求}}。详见网络和时间线。',
  },
  restored: {
    title: '浏览器已重新启动',
    close: '关闭此提示',
  },
  network: {
    closed: '没有网络',
    advisory: '不经过代理服务器',
    renew: '新的上下文',
    renewAbout: '页面会在新的上下文中重新打开，保留现有的 Cookie 和本地存储',
  },
  popup: {
    options: '选项',
    more: '还有 {n, plural, other {# 个选项}}未显示',
    date: '日期',
    time: '时间',
    'datetime-local': '日期和时间',
    month: '月份',
    week: '周',
    color: '颜色',
    set: '确定',
    clear: '清除',
    cancel: '取消',
    failed: '未能选择',
  },
  meter: {
    fps: '每秒画面数',
    latency: '到服务器的往返时间',
    rate: '画面数据',
    span: '最近 {n} 分钟，在本窗口中测得',
    scripts: '本服务器上的脚本',
    runs: '已运行',
    mean: '平均用时',
    timeouts: '超时',
    aborts: '已取消',
    terminated: '卡住后被结束',
    fallbacks: '其他引擎',
  },
  remedy: {
    label: '可以尝试',
    stopScript: '停止脚本',
    resume: '继续运行',
    reload: '重新加载',
    blank: '空白页',
    restart: '重启标签页',
    reopen: '重新打开',
    close: '关闭标签页',
    more: '更多',
    failed: '这一步没有奏效',
    about: {
      stopScript: '结束正在运行的脚本。页面和已输入的内容都保留。',
      resume: '页面从断点处继续运行。',
      reload: '重新加载页面。已输入的内容会丢失。',
      blank: '离开此页面，可用后退返回。',
      restart: '在原位置用新标签页打开同一地址。标签页的历史会丢失。',
      reopen: '重新加载被换下的页面。它可能再次过度占用浏览器。',
      close: '关闭此标签页。',
    },
    leaseStays: '方向盘不会易手。',
  },
};
