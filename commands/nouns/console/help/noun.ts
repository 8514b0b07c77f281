import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { changeSetting } from '#commands/nouns/self/me/settings.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { hasSeenTour, TOUR_SETTING } from '#commands/session/preferences.ts';

/**
 * Opens the introduction. Records in the account that the user has seen it, so it no longer opens automatically in any
 * browser. The introduction works even if this fails, so the failure is only reported.
 */
const tour = command({
  id: 'help.tour',
  effect: 'navigate',
  needs: ['tour', 'report'],
  run: async (context) => {
    requireCapability(context, 'tour').open();
    if (hasSeenTour(context.preferences)) return {};
    try {
      await changeSetting(context, TOUR_SETTING, true);
      return { changed: ['me'] };
    } catch (error) {
      requireCapability(context, 'report')(error);
      return {};
    }
  },
});

export const noun: Noun = { commands: [tour] };
