/** English texts of private holds. */
export const privateEn = {
  private: {
    start: 'Private',
    startWhat: 'Hide this page from everybody else while you enter something secret',
    end: 'End private',
    failed: 'The page could not be held privately',
    endFailed: 'The private hold did not end',
    sign: 'Private: only you see this page',
    lead: 'No picture, no text and no recording of it reaches anybody. Afterwards others see the page again; fields you typed into stay masked for agents that read it, but a script an agent runs, or the page itself, could still show what they hold.',
    reason: 'Why, for the others',
    reasonPlaceholder: 'Why? The others see this',
    untilField: 'End when I leave the field',
    mine: 'You hold this page privately. Nothing of it is read until you end that.',
    others: '{name} is entering something private',
    othersLead: 'The page is hidden until they are done.',
    panel: 'Nothing of the page is read while it is private.',
  },
};
