import type { Context, Preferences } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { readPreferences } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import type { CurrentUser } from '#proto/gen/hiber/current_user_pb.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

export function loadCurrentUser(context: Context): Promise<CurrentUser> {
  const request = context.organization.id ? { organization: context.organization.id } : {};
  return context.api(CurrentUserService).currentUser(request, { signal: context.signal });
}

/**
 * Loads the user's stored settings.
 *
 * @throws CommandError if the settings have an unknown format because overwriting them would lose data.
 */
export async function loadPreferences(context: Context): Promise<Preferences> {
  const preferences = readPreferences((await loadCurrentUser(context)).missionControlSettings);
  if (!preferences) throw new CommandError(message('me:unreadableSettings'));
  return preferences;
}

/**
 * Changes one setting, or removes it if `value` is undefined. Sends all other settings along, because the rpc replaces
 * all settings.
 */
export async function changeSetting(context: Context, name: string, value: unknown): Promise<void> {
  const { [name]: _previous, ...others } = await loadPreferences(context);
  const update = JSON.stringify(value === undefined ? others : { ...others, [name]: value });
  await context.api(CurrentUserService).updateMissionControlSettings({ update }, { signal: context.signal });
}
