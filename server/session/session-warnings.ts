import type { Session } from './session';

/** Warnings for operators, as sentences: sessions without a Chrome, without a network, or not behind the proxy. */
export function sessionWarnings(sessions: readonly Session[]): string[] {
  const down = sessions.filter(
    ({ status: { state, why } }) => state === 'browser-down' && why?.said.code !== 'chromeReturning',
  );
  const egress = (state: string): Session[] => sessions.filter(({ init }) => init.contextRef.egress?.state === state);
  return [
    ...warning(
      down,
      ({ status }) =>
        `Sessions without a Chrome: ${down.length}. ${status.why?.text ?? ''} Each goes on in a new one by POST /api/v1/sessions/:s/browser, or the button in wall and cockpit.`,
    ),
    ...warning(
      egress('closed'),
      ({ init }) =>
        `Sessions without a network: ${egress('closed').length}. ${init.contextRef.egress?.reason ?? ''} Each goes on in a new context by POST /api/v1/sessions/:s/browser, or the button in the cockpit.`,
    ),
    ...warning(
      egress('advisory'),
      ({ init }) =>
        `Sessions in attached Chromes: ${egress('advisory').length}. ${init.contextRef.egress?.reason ?? ''}`,
    ),
  ];
}

function warning([first]: readonly Session[], words: (first: Session) => string): string[] {
  return first ? [words(first)] : [];
}
