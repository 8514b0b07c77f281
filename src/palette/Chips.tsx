import type { Context } from '#commands/core/context';
import { commandWords, optionName, printValue } from '#commands/core/line';
import type { ArgValue } from '#commands/core/kinds';
import type { Registry } from '#commands/core/registry';
import type { Target } from '#commands/core/target';

import { Chip } from '../ui/Chip.tsx';
import type { Fill } from './fill.ts';
import { TargetText } from './TargetText.tsx';

interface ChipsProps {
  readonly fill: Fill;
  /** A param whose value was refused. */
  readonly wrong: string | undefined;
  readonly registry: Registry;
  readonly context: Context;
}

/** The command and what it was given, in the order it was given. */
export function Chips({ fill, wrong, registry, context }: ChipsProps) {
  const { command, args, labels } = fill;
  const given = Object.entries(args).filter((each): each is [string, ArgValue] => each[1] !== undefined);
  return (
    <>
      <Chip tone="accent" mono className="h-6">
        {commandWords(command, registry).join(' ')}
      </Chip>
      {given.map(([name, value]) => {
        const param = command.params[name];
        if (!param) return null;
        const line = labels[name] ?? printValue(param, value);
        return (
          <Chip
            key={name}
            tone={name === wrong ? 'error' : 'strong'}
            mono
            className="h-6"
            title={`--${optionName(name)}`}
          >
            {param.kind === 'many' ? (
              <TargetText entity={param.entity()} target={value as Target} line={line} context={context} />
            ) : (
              `${command.positional.includes(name) ? '' : `${optionName(name)}: `}${line}`
            )}
          </Chip>
        );
      })}
    </>
  );
}
