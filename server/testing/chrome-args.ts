/**
 * No renderer in reserve: it takes a tenth of the processor time of a session. Chrome takes one `--disable-features`
 * only, so others are added to its value.
 */
export const NO_SPARE = '--disable-features=SpareRendererForSitePerProcess';

/** No page of Chrome's own at its start: it takes a third of the processor time of a start, and no test uses it. */
export const NO_WINDOW = '--no-startup-window';
