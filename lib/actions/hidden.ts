/**
 * Replaces text that is stored nowhere. It is a variable, so a caller who repeats the action must supply the text
 * (SN6).
 */
export const HIDDEN = '${hidden}';
