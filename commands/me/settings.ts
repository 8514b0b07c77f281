import type { CurrentUser } from '#proto/hiber/current_user_pb';
import { CurrentUserService } from '#proto/hiber/current_user_pb';
import type { Context } from '../core/context.ts';
import { CommandError } from '../core/errors.ts';
import { message } from '../core/message.ts';

/** Where the console opens when nothing is said (spec 9); the address of a screen. */
const DEFAULT_SCREEN = '/dashboard';

export function currentUser(context: Context): Promise<CurrentUser> {
  const request = context.organization.id ? { organization: context.organization.id } : {};
  return context.api(CurrentUserService).currentUser(request, { signal: context.signal });
}

/** The settings that the web client keeps with the user (contract: CurrentUser), as an object. */
function parseSettings(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Writing over what we cannot read would lose it.
  throw new CommandError(message('me:unreadableSettings'));
}

/** The screen set by the user; spec 9's default where there is none, or where the settings cannot be read. */
export function defaultScreen({ missionControlSettings }: CurrentUser): string {
  try {
    const { defaultScreen: screen } = parseSettings(missionControlSettings);
    return typeof screen === 'string' && screen.startsWith('/') ? screen : DEFAULT_SCREEN;
  } catch (error) {
    if (error instanceof CommandError) return DEFAULT_SCREEN;
    throw error;
  }
}

/** Changes one setting and keeps the others, which the rpc replaces as a whole. */
export async function changeSetting(context: Context, name: string, value: unknown): Promise<void> {
  const settings = parseSettings((await currentUser(context)).missionControlSettings);
  const update = JSON.stringify({ ...settings, [name]: value });
  await context.api(CurrentUserService).updateMissionControlSettings({ update }, { signal: context.signal });
}
