import type { Context } from '#commands/model/context.ts';
import { optionName, printValue } from '#commands/line/line.ts';
import { commandWords } from '#commands/line/line-head.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Target } from '#commands/model/target.ts';

import { useSay } from '#src/i18n/i18n.ts';
import { Chip } from '#src/ui/Chip.tsx';
import type { Draft } from '#src/run/draft.ts';
import { TargetText } from '#src/run/plan/TargetText.tsx';

interface ChipsProps {
  readonly draft: Draft;
  /** A param whose value was refused. */
  readonly wrong: string | undefined;
  readonly registry: Registry;
  readonly context: Context;
}

/** What chosen options are called, where they have names. */
function optionLabels(param: Param, value: ArgValue): readonly Message[] | undefined {
  if ((param.kind !== 'choice' && param.kind !== 'choices') || !param.label) return undefined;
  const { label } = param;
  return (typeof value === 'string' ? [value] : (value as readonly string[])).map((option) => label(option));
}

/** The command and what it was given, in the order it was given. */
export function Chips({ draft, wrong, registry, context }: ChipsProps) {
  const say = useSay();
  const { command, args, labels } = draft;
  const given = Object.entries(args).filter((item): item is [string, ArgValue] => item[1] !== undefined);
  return (
    <>
      <Chip tone="accent" mono className="h-6">
        {commandWords(command, registry).join(' ')}
      </Chip>
      {given.map(([name, value]) => {
        const param = command.params[name];
        if (!param) return null;
        const line = labels[name] ?? optionLabels(param, value)?.map(say).join(', ') ?? printValue(param, value);
        return (
          <Chip
            key={name}
            tone={name === wrong ? 'error' : 'strong'}
            mono
            className="h-6"
            hint={`--${optionName(name)}`}
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
