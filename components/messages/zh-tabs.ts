import type { tabsEn } from './en-tabs';
import type { Shape } from './shape';

/** Simplified Chinese texts of the tab strip. */
export const tabsZh: Shape<typeof tabsEn> = {
  tabs: {
    label: '标签页',
    new: '新建标签页',
    newFailed: '未能打开标签页',
    close: '关闭“{title}”',
    closeFailed: '标签页未能关闭',
    loading: '加载中',
    stuck: '卡住了',
    dialog: '有对话框等待处理',
    follow: '转到最近有动作的“{title}”',
    followShort: '最近动作',
    menu: '对“{title}”的操作',
    reloadIt: '重新加载',
    copyAddress: '复制网址',
    addressCopied: '已复制网址',
    copyFailed: '网址未能复制',
    moveLeft: '向左移动',
    moveRight: '向右移动',
    closeIt: '关闭',
    closeOthers: '关闭其他标签页',
    moved: '“{title}”：第 {place} 个标签页，共 {of} 个',
  },
};
