import type { CommandMetadata } from '#commands/model/command.ts';
import type { Directory } from '#commands/registry/directory.ts';
import { accessibleDestinations } from '#src/address/paths.ts';
import { workingKeysOf, type Overrides } from '#src/keymap/bindings.ts';
import { parseKeys } from '#src/keymap/press.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import type { UserSession } from '#src/state/user-session.ts';

/** The steps of the introduction, in order. Each has an instruction and a picture. */
export type StepName = 'next' | 'select' | 'go' | 'palette' | 'help';

/** One step of the introduction, which asks the user to press a key. */
export interface Step {
  readonly name: StepName;
  readonly binding: Binding;
}

interface StepOptions {
  readonly directory: Directory;
  readonly session: UserSession;
  readonly overrides: Overrides;
  /** False if the user turned single-key shortcuts off. */
  readonly singleKeys: boolean;
}

/**
 * Returns the keys to teach, as the user has bound them. Excludes keys that the user removed or turned off. The `go`
 * step teaches the key of the first screen that the user can open.
 */
export function tourSteps({ directory, session, overrides, singleKeys }: StepOptions): readonly Step[] {
  const firstScreen = accessibleDestinations(session).find(({ screen }) => screen.key !== undefined);
  const commands: Readonly<Record<StepName, string | undefined>> = {
    next: 'view.next-row',
    select: 'view.select-row',
    go: firstScreen?.command,
    palette: 'app.palette',
    help: 'app.help',
  };
  return (Object.keys(commands) as StepName[]).flatMap((name) => {
    const command = directory.command(commands[name] ?? '');
    const binding = command && bindingOf(command, overrides, singleKeys);
    return binding ? [{ name, binding }] : [];
  });
}

function bindingOf(command: CommandMetadata, overrides: Overrides, singleKeys: boolean): Binding | undefined {
  const [keys] = workingKeysOf(command, overrides, { singleKeys });
  return keys === undefined ? undefined : { command, keys, presses: parseKeys(keys) };
}
