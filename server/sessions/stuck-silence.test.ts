import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Holder } from '@/lib/control/lease';
import { Emitter } from '@/server/browser/emitter';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { ControlDesk } from './control-desk';
import { SessionLedger } from './ledger';
import { StuckWatch, type StuckSeat } from './stuck-watch';
import { Timeline } from './timeline';

const bot: Holder = { id: 'bot', name: 'buyer-bot', kind: 'agent' };
const ada: Holder = { id: 'ada', name: 'Ada', kind: 'human' };
const MINUTE = 60_000;

it('[CO9] an agent that has the wheel and does nothing for five minutes is shown as stuck, until the wheel passes; a person may take their time', async () => {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const clock = new FakeClock();
  const desk = new ControlDesk(clock, () => undefined);
  const seat: StuckSeat = {
    stuck: undefined,
    tab: {
      id: 't1',
      url: '',
      page: { onDocument: new Emitter() },
      snapshots: { take: () => Promise.reject(new Error('nobody looks')) },
    },
  };
  const timeline = new Timeline(new SessionLedger(store, workspace, session, quietLogger), undefined, {
    epochOf: () => undefined,
  });
  const watch = new StuckWatch({
    on: true,
    clock,
    logger: quietLogger,
    desk,
    timeline,
    changed: () => undefined,
    seat: () => seat,
  });
  const said = (): string | undefined => seat.stuck?.reason;
  desk.apply({ type: 'tab-opened', tab: 't1', opener: undefined });
  desk.apply({ type: 'claim', tab: 't1', by: bot });
  clock.advance(5 * MINUTE - 1);
  const early = said();
  clock.advance(1);
  const late = said();
  desk.apply({ type: 'take', tab: 't1', by: ada, scope: 'tab' });
  desk.apply({ type: 'drained', tab: 't1', epoch: desk.lease('t1')?.epoch ?? 0 });
  const taken = said();
  clock.advance(20 * MINUTE);
  watch.dispose();

  expect([early, late, taken, said()]).toEqual([
    undefined,
    'buyer-bot has the wheel and has done nothing for 5 minutes.',
    undefined,
    undefined,
  ]);
});
