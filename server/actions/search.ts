import { defineAction } from './context';
import { openUrl } from './navigate';

export const search = defineAction({
  kind: 'search',
  settles: false,
  queued: true,
  run: (context, { query, engine }) => openUrl(context, context.searchUrl(query, engine), 'usable'),
});
