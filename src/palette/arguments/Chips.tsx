import { commandWords } from '#commands/line/line-head.ts';
import { optionName, printValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { commandLabels } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Target } from '#commands/model/target.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Message } from '#commands/text/message.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import type { Draft } from '#src/run/draft.ts';
import { ReferenceText, TargetText } from '#src/run/plan/TargetText.tsx';
import { Chip } from '#src/ui/Chip.tsx';

interface ChipsProps {
  readonly draft: Draft;
  /** The param with an invalid value, if any. */
  readonly invalidParam: string | undefined;
  readonly registry: Registry;
  readonly context: Context;
}

/** Returns the labels of the selected options, or undefined if the param has no labels. */
function optionLabels(param: Param, value: ArgValue): readonly Message[] | undefined {
  if ((param.kind !== 'choice' && param.kind !== 'choices') || !param.label) return undefined;
  const { label } = param;
  return (typeof value === 'string' ? [value] : (value as readonly string[])).map((option) => label(option));
}

/** The command and its arguments, in the order they were entered. */
export function Chips({ draft, invalidParam, registry, context }: ChipsProps) {
  const translate = useTranslate();
  const { command, args, labels } = draft;
  const values = Object.entries(args).filter((item): item is [string, ArgValue] => item[1] !== undefined);
  return (
    <>
      <Chip tone="accent" mono className="h-6">
        {commandWords(command, registry).join(' ')}
      </Chip>
      {values.map(([name, value]) => {
        const param = command.params[name];
        if (!param) return null;
        const line = labels[name] ?? optionLabels(param, value)?.map(translate).join(', ') ?? printValue(param, value);
        return (
          <Chip
            key={name}
            tone={name === invalidParam ? 'error' : 'strong'}
            mono
            className="h-6"
            hint={`--${optionName(name)}`}
          >
            {param.kind === 'many' ? (
              <TargetText entity={param.entity()} target={value as Target} line={line} context={context} />
            ) : value === true ? (
              // A flag that is set means what its label says.
              translate(commandLabels.param(command, name))
            ) : (
              <>
                {!command.positional.includes(name) && `${optionName(name)}: `}
                {param.kind === 'ref' ? (
                  <ReferenceText entity={param.entity()} value={value as string} line={line} context={context} />
                ) : (
                  line
                )}
              </>
            )}
          </Chip>
        );
      })}
    </>
  );
}
