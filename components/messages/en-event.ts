import { englishVerbs } from '@/lib/actions/action-verbs';

/**
 * English texts of events, after the actor's name. `way` says whether the action runs, failed or is done; `self`
 * whether the actor is the reader. The verbs of actions are in `lib/actions/kinds`, one file per kind.
 */
export const eventEn = {
  line: '{who} {what}',
  stored: '{who}: {what}',
  /** Between several actions. */
  between: ', ',
  target: '{role} {name}',
  somewhere: 'the page',
  blank: 'an empty page',
  ...englishVerbs(),
};
