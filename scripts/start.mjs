/** Starts the built server in this process, so that Ctrl-C and `kill` reach it and its exit code is ours. */
import { endWithParent } from './setup/parent.mjs';

process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
process.setSourceMapsEnabled(true);
endWithParent();
await import('../dist/server.mjs');
