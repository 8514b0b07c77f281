import { ASK, type KindValues, replaceWithAsk } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import { fileReference } from '#commands/model/files.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Registry } from '#commands/registry/registry.ts';

/**
 * Returns the arguments in a form that history, links, and audits can store. Replaces files with their names and
 * secrets with prompts.
 */
export function storableArgs(command: Command, args: Args): Args {
  const entries = Object.entries(withoutSecrets(command, args)).map(([name, value]) => {
    const kind = command.params[name]?.kind;
    if (kind === 'file' && typeof value === 'string') return [name, fileReference(value)] as const;
    if (kind === 'files' && value !== undefined)
      return [name, (value as KindValues['files']).map(fileReference)] as const;
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns a step of an inverse with its secrets replaced. Its command must be loaded, because only the command declares
 * which of its arguments are secret.
 */
export function storableStep({ id, args }: Invocation, registry: Pick<Registry, 'command'>): Invocation {
  const command = registry.command(id);
  if (!command) throw new RangeError(`Unknown command "${id}".`);
  return { id, args: withoutSecrets(command, args) };
}

/** Replaces every secret with its prompt. An empty secret stays empty. */
export function withoutSecrets(command: Command, args: Args): Args {
  const entries = Object.entries(args).map(([name, value]) => {
    const param = command.params[name];
    if (param?.kind === 'pairs' && param.hidden && value !== undefined) {
      return [name, replaceWithAsk(value as KindValues['pairs'])] as const;
    }
    const isSecret = param?.kind === 'secret' && value !== undefined && value !== '';
    return [name, isSecret ? ASK : value] as const;
  });
  return Object.fromEntries(entries);
}
