import type { Args } from '#commands/model/invocation.ts';
import type { Outcome } from '#commands/model/result.ts';

import { allTexts } from '#src/i18n/i18n.ts';
import { refreshUser } from '#src/acting/refresh-user.ts';

/**
 * Runs one of a person's own commands before the console is entered: accepting the terms, say, while they may have no
 * organization yet. The registry comes with the first use; the guard knows of it afterwards. @throws CommandError,
 * ConnectError
 */
export async function runOwn(id: `me.${string}`, args: Args = {}): Promise<Outcome> {
  const [{ registry }, { prepare, run }, { loadActing }, { contextOf }] = await Promise.all([
    import('#commands/nouns/all.ts'),
    import('#commands/run/run.ts'),
    import('#src/acting/current-user.ts'),
    import('#src/run/context.ts'),
    allTexts(),
  ]);
  const command = registry.command(id);
  if (!command) throw new Error(`there is no command ${id}`);
  const context = contextOf(await loadActing(undefined));
  const { outcome } = await run(await prepare(command, args, context), context);
  await refreshUser();
  return outcome;
}
