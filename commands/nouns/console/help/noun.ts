import { command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import { changeSetting } from '#commands/nouns/self/me/settings.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { hasSeenTour, TOUR_SETTING } from '#commands/session/preferences.ts';

/**
 * Opens the introduction. Notes in the account that the person has seen it, so that no browser shows it automatically
 * again. The introduction itself needs no account, so a failure is only reported.
 */
const tour = command({
  id: 'help.tour',
  effect: 'navigate',
  needs: ['tour', 'report'],
  run: async (context) => {
    need(context, 'tour').open();
    if (hasSeenTour(context.preferences)) return {};
    try {
      await changeSetting(context, TOUR_SETTING, true);
      return { changed: ['me'] };
    } catch (error) {
      need(context, 'report')(error);
      return {};
    }
  },
});

export const noun: Noun = { commands: [tour] };
