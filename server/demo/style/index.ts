import { BASE } from '@/server/demo/style/base';
import { FORMS } from '@/server/demo/style/forms';
import { PAGES } from '@/server/demo/style/pages';

/** The whole style sheet of the shop. */
export const STYLES = BASE + PAGES + FORMS;
