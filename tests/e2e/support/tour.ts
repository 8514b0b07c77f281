import { demoPeople } from '#server/demo/seed/people.ts';

/** A script for each page: the demo's people count as returning visitors, who do not see the introduction. */
export const SKIP_TOUR = `if (location.protocol.startsWith('http')) {
  for (const id of ${JSON.stringify(demoPeople.map(({ id }) => id))}) localStorage.setItem('quarterdeck-tour:' + id, 'yes');
}`;
