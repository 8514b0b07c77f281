import type { Args } from '#commands/model/invocation.ts';
import type { Outcome } from '#commands/model/result.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { refreshUser } from '#src/session/refresh-user.ts';

/**
 * Runs one of the user's own commands outside the console, such as accepting the terms, even if the user has no
 * organization. Loads the command on first use and reloads the user so that the guard sees the change.
 *
 * @throws CommandError or ConnectError if the command fails
 */
export async function runOwnCommand(id: `me.${string}`, args: Args = {}): Promise<Outcome> {
  const [{ loadCommands, registry }, { prepare, run }, { loadUserSession }, { contextOf }] = await Promise.all([
    import('#src/registry/registry.ts'),
    import('#commands/run/run.ts'),
    import('#src/session/current-user.ts'),
    import('#src/run/context.ts'),
    loadAllStrings(),
  ]);
  await loadCommands([id]);
  const command = registry().command(id);
  if (!command) throw new Error(`The command ${id} is not registered.`);
  const context = contextOf(await loadUserSession(undefined));
  const { outcome } = await run(await prepare(command, args, context), context);
  await refreshUser();
  return outcome;
}
