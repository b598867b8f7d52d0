import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Holder } from '@/lib/control/lease';
import { HELP_LIMITS, helpRequestSchema, helpRequestView, type HelpQuestion } from './help-request';
import { openHelpRequests, reduceHelp, type HelpEvent, type HelpRequestMap } from './reduce';

const ana: Holder = { id: 'p1', name: 'Ana', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const other: Holder = { id: 'a2', name: 'Other', kind: 'agent' };

const asked = (id: string, over: Partial<HelpQuestion> = {}): HelpQuestion => ({
  id,
  tab: 't1',
  by: bot,
  reason: 'A code',
  askedAt: 'then',
  lifeMs: 1_000,
  ...over,
});
const ask = (id: string, over: Partial<HelpQuestion> = {}): HelpEvent => ({ type: 'asked', asked: asked(id, over) });
const answer = (question: string | undefined, tab = 't1'): HelpEvent => ({
  type: 'answered',
  pick: { tab, question },
  by: ana,
  result: 'done',
  note: 'there',
  at: 'now',
});
const withdraw = (by: Holder): HelpEvent => ({ type: 'withdrawn', pick: { tab: 't1', question: undefined }, by });

const claim = (by: Holder, tab = 't1'): HelpEvent => ({
  type: 'claimed',
  pick: { tab, question: undefined },
  by,
  at: 'now',
});
const unclaim = (by: Holder): HelpEvent => ({ type: 'unclaimed', pick: { tab: 't1', question: undefined }, by });

/** The state after these events, each at its own time; refused events change nothing. */
function after(...events: readonly HelpEvent[]): HelpRequestMap {
  return events.reduce((questions: HelpRequestMap, event) => {
    const result = reduceHelp(questions, event, 0);
    return result.ok ? result.questions : questions;
  }, new Map());
}

const states = (questions: HelpRequestMap): string[] =>
  [...questions.values()].map((question) => `${question.asked.id} ${helpRequestView(question, 0).state}`);

describe('questions', () => {
  it('[CO6] an answer closes the open question of a tab, and is shown with it', () => {
    const questions = after(
      ask('q1', { instructions: 'Look at the phone', element: { ref: 'e1', role: 'textbox', name: 'Code' } }),
      answer(undefined),
    );
    const shown = [...questions.values()].map((question) => helpRequestSchema.parse(helpRequestView(question, 0)));
    const { lifeMs: _, ...rest } = asked('q1', {
      instructions: 'Look at the phone',
      element: { ref: 'e1', role: 'textbox', name: 'Code' },
    });
    expect(shown).toEqual([
      { ...rest, state: 'answered', answer: { result: 'done', note: 'there', by: ana, at: 'now' } },
    ]);
  });

  it('[CO6] of two answers at once the first counts, and the second person is told whose that was', () => {
    expect(reduceHelp(after(ask('q1'), answer('q1')), answer('q1'), 0)).toMatchObject({
      ok: false,
      refusal: { code: 'CONFLICT', said: { code: 'questionAnswered', name: 'Ana' } },
    });
  });

  it('[CO6] an agent has at most one open question in a tab; other tabs and agents have their own', () => {
    const questions = after(ask('q1'), ask('q2', { by: other }), ask('q3', { tab: 't2' }));
    expect(reduceHelp(questions, ask('q4'), 0)).toMatchObject({
      ok: false,
      refusal: { code: 'CONFLICT', said: { code: 'questionBefore' }, details: { question: 'q1' } },
    });
    expect(reduceHelp(questions, answer(undefined), 0)).toMatchObject({
      ok: false,
      refusal: { said: { code: 'questionsSeveral' }, details: { questions: ['q1', 'q2'] } },
    });
    expect(states(after(ask('q1'), ask('q2', { by: other }), answer('q2')))).toEqual(['q1 open', 'q2 answered']);
  });

  it('[CO6] a question that is not open cannot be answered', () => {
    expect(reduceHelp(new Map(), answer(undefined), 0)).toMatchObject({
      refusal: { code: 'CONFLICT', said: { code: 'questionNone' } },
    });
    expect(reduceHelp(after(ask('q1')), answer('q9'), 0)).toMatchObject({
      refusal: { code: 'NOT_FOUND', said: { code: 'noQuestion', id: 'q9' } },
    });
    expect(reduceHelp(after(ask('q1'), withdraw(bot)), answer('q1'), 0)).toMatchObject({
      refusal: { code: 'CONFLICT', said: { code: 'questionOver' } },
    });
  });

  it('[CO6] only its agent takes a question back', () => {
    const open = after(ask('q1'));
    expect(reduceHelp(open, withdraw(other), 0).ok).toBe(false);
    expect(states(after(ask('q1'), withdraw(bot)))).toEqual(['q1 withdrawn']);
  });

  it('[CO6] a question expires at its own time, not before, and shows the time left', () => {
    const open = after(ask('q1'));
    const due = (now: number) => reduceHelp(open, { type: 'due', id: 'q1' }, now);
    expect([due(999), due(1_000)].map((result) => result.ok && states(result.questions))).toEqual([
      ['q1 open'],
      ['q1 expired'],
    ]);
    expect(openHelpRequests(open).map((question) => helpRequestView(question, 400).leftMs)).toEqual([600]);
  });

  it('[CO4] one person is on a question: a second is told who, a repeat changes nothing, and only that person lets go', () => {
    const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
    const mine = after(ask('q1'), claim(ana));
    const claimed = { by: ana, at: 'now' };
    expect([...mine.values()].map((question) => helpRequestView(question, 0))).toMatchObject([{ id: 'q1', claimed }]);
    expect(reduceHelp(mine, claim(ana), 0)).toMatchObject({ ok: true, changed: [], picked: 'q1' });
    for (const event of [claim(ben), unclaim(ben)])
      expect(reduceHelp(mine, event, 0)).toMatchObject({
        refusal: { code: 'CONFLICT', said: { code: 'questionClaimedBy', name: 'Ana' }, details: { claimed } },
      });
    const free = after(ask('q1'), claim(ana), unclaim(ana));
    expect([...free.values()]).toMatchObject([{ state: 'open', claimed: undefined }]);
    expect(reduceHelp(free, claim(ben), 0)).toMatchObject({ changed: [{ claimed: { by: ben } }] });
    expect(reduceHelp(after(ask('q1'), answer('q1')), claim(ben), 0)).toMatchObject({
      refusal: { said: { code: 'questionAnswered' } },
    });
  });

  it('[CO4] whoever leaves is on nothing any more; another person may answer what one is on', () => {
    const both = after(ask('q1'), ask('q2', { tab: 't2' }), claim(ana), claim(ana, 't2'));
    const gone = reduceHelp(both, { type: 'claimer-left', participant: ana.id }, 0);
    expect(gone).toMatchObject({
      changed: [
        { asked: { id: 'q1' }, claimed: undefined },
        { asked: { id: 'q2' }, claimed: undefined },
      ],
    });
    expect(reduceHelp(both, { type: 'claimer-left', participant: 'p2' }, 0)).toMatchObject({ changed: [] });
    const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
    expect(states(after(ask('q1'), claim(ben), answer('q1')))).toEqual(['q1 answered']);
  });

  it('[CO6] closing a tab and revoking a key end their questions', () => {
    expect(
      states(
        after(
          ask('q1'),
          ask('q2', { tab: 't2' }),
          { type: 'tab-closed', tab: 't1' },
          { type: 'left', participant: 'a1' },
        ),
      ),
    ).toEqual(['q1 gone', 'q2 gone']);
  });

  it('[CO6] open questions are bounded, and of closed ones the oldest are forgotten', () => {
    const full = after(...Array.from({ length: HELP_LIMITS.open }, (_, n) => ask(`q${n}`, { tab: `t${n}` })));
    expect(reduceHelp(full, ask('more', { tab: 'more' }), 0)).toMatchObject({
      refusal: { code: 'QUOTA', details: { limit: HELP_LIMITS.open } },
    });
    const many = after(
      ...Array.from({ length: HELP_LIMITS.kept + 2 }, (_, n) => [ask(`q${n}`), answer(`q${n}`)]).flat(),
    );
    expect([many.size, many.has('q1'), many.has('q2')]).toEqual([HELP_LIMITS.kept, false, true]);
  });

  it('[CO6] in any order of events an agent has at most one open question in a tab, and a closed question never changes', () => {
    const pick = fc.record({
      tab: fc.constantFrom('t1', 't2'),
      question: fc.constantFrom(undefined, 'q1', 'q2', 'q3'),
    });
    const event: fc.Arbitrary<HelpEvent> = fc.oneof(
      fc.record({
        type: fc.constant('asked'),
        asked: fc
          .record({
            id: fc.constantFrom('q1', 'q2', 'q3', 'q4', 'q5'),
            tab: fc.constantFrom('t1', 't2'),
            by: fc.constantFrom(bot, other),
          })
          .map(({ id, ...over }) => asked(id, over)),
      }),
      fc.record({
        type: fc.constant('answered'),
        pick,
        by: fc.constant(ana),
        result: fc.constantFrom('done', 'could-not'),
        note: fc.constant(undefined),
        at: fc.constant('now'),
      }),
      fc.record({ type: fc.constant('withdrawn'), pick, by: fc.constantFrom(bot, other) }),
      fc.record({ type: fc.constant('due'), id: fc.constantFrom('q1', 'q2') }),
      fc.record({ type: fc.constant('delivered'), id: fc.constantFrom('q1', 'q2', 'q3') }),
      fc.record({ type: fc.constant('tab-closed'), tab: fc.constantFrom('t1', 't2') }),
      fc.record({ type: fc.constant('claimed'), pick, by: fc.constant(ana), at: fc.constant('now') }),
      fc.record({ type: fc.constant('unclaimed'), pick, by: fc.constant(ana) }),
      fc.record({ type: fc.constant('claimer-left'), participant: fc.constant('p1') }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.integer({ min: 0, max: 3_000 })), { maxLength: 30, size: 'max' }),
        (events) => {
          let questions: HelpRequestMap = new Map();
          const used = new Set<string>();
          for (const [each, now] of events) {
            // Ids are never given twice.
            if (each.type === 'asked' && used.has(each.asked.id)) continue;
            if (each.type === 'asked') used.add(each.asked.id);
            const result = reduceHelp(questions, each, now);
            if (!result.ok) continue;
            const before = questions;
            questions = result.questions;
            const open = openHelpRequests(questions).map(({ asked: { by, tab } }) => `${by.id} ${tab}`);
            expect(new Set(open).size).toBe(open.length);
            for (const [id, was] of before)
              if (was.state === 'closed')
                expect(questions.get(id)).toEqual({
                  ...was,
                  delivered: was.delivered || (each.type === 'delivered' && each.id === id),
                });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
