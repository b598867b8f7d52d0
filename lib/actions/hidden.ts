/** Stands for text that is kept nowhere; as a variable, so that whoever does the same again has to give it (SN6). */
export const HIDDEN = '${hidden}';
