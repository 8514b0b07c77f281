import { failureOf } from '#commands/model/errors.ts';
import type { FilterError } from '#commands/query/problem.ts';

import { CommandButton } from '#src/run/CommandButton.tsx';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { fixesOf } from './use-filter-draft.ts';

interface WrongFilterProps {
  readonly filter: string;
  readonly error: FilterError;
  readonly onFilter: (text: string) => void;
}

/** A filter from an address that cannot be used: what is wrong, what was probably meant, and the ways on. */
export function WrongFilter({ filter, error, onFilter }: WrongFilterProps) {
  const say = useSay();
  const text = useText();
  return (
    <StateMessage
      urgent
      title={text('screen.wrongFilter')}
      actions={
        <>
          {fixesOf(filter, error.problem).map((fix) => (
            <Button key={fix.text} tone="primary" onClick={() => onFilter(fix.text)}>
              {fix.label}
            </Button>
          ))}
          <CommandButton command="view.edit-filter" />
          <CommandButton command="view.clear-filter" />
        </>
      }
    >
      {say(failureOf(error).message)}
    </StateMessage>
  );
}
