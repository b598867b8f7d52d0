import { englishVerbs } from '@/lib/actions/action-verbs';

/**
 * What somebody did, after their name. `way` says whether it still runs, failed or is done; `self` whether it is the
 * reader. The words of actions are in `lib/actions/kinds`, a file a kind.
 */
export const eventEn = {
  line: '{who} {what}',
  stored: '{who}: {what}',
  /** Between several things that were done. */
  between: ', ',
  target: '{role} {name}',
  somewhere: 'the page',
  blank: 'an empty page',
  ...englishVerbs(),
};
