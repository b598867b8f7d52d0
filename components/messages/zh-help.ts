import type { helpEn } from './en-help';
import type { Shape } from './shape';

/** Simplified Chinese texts for what went wrong in a session and what helps. */
export const helpZh: Shape<typeof helpEn> = {
  down: {
    title: 'Chrome 已退出',
    lead: '本会话的浏览器崩溃了，或被外部结束。这是它的最后画面。',
    leadShort: '浏览器崩溃了，或被外部结束',
    offer: '新浏览器会{tabs, plural, =0 {打开一个空标签页} other {按原地址重新打开 # 个标签页}}。网站会要求您重新登录：目前还不保存 Cookie。',
    attached: '所连接的 Chrome 不会被重新启动；Wheelhouse 会启动自己的浏览器。',
    start: '启动新浏览器',
    startShort: '新浏览器',
    starting: '正在启动新浏览器…',
    started: '新浏览器已启动。',
    failed: '未能启动新浏览器',
    end: '结束会话…',
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
  remedy: {
    label: '可以尝试',
    stopScript: '停止脚本',
    resume: '继续运行',
    reload: '重新加载',
    blank: '空白页',
    restart: '重启标签页',
    close: '关闭标签页',
    more: '更多',
    failed: '这一步没有奏效',
    about: {
      stopScript: '结束正在运行的脚本。页面和已输入的内容都保留。',
      resume: '页面从断点处继续运行。',
      reload: '重新加载页面。已输入的内容会丢失。',
      blank: '离开此页面，可用后退返回。',
      restart: '在原位置用新标签页打开同一地址。标签页的历史会丢失。',
      close: '关闭此标签页。',
    },
    wheelStays: '方向盘不会易手。',
  },
};
