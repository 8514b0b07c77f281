import type { ComponentProps } from 'react';

import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { directory } from '#src/registry/registry.ts';
import { cx } from '#src/ui/cx.ts';
import { LINK_CLASS } from '#src/ui/link-class.ts';

import { invoke } from './invoke.ts';
import { useCommandContext } from './use-context.ts';

interface CommandLinkProps extends Omit<ComponentProps<'span'>, 'onClick'> {
  readonly invocation: Invocation;
}

/** A name as a link that runs a command, such as a download, or as plain text if the user can't run it. */
export function CommandLink({ invocation, className, ...props }: CommandLinkProps) {
  const context = useCommandContext();
  const command = directory().command(invocation.id);
  if (!command || !context || !availability(command, context).ok) return <span className={className} {...props} />;
  return (
    <button type="button" onClick={() => void invoke(invocation)} className={cx(LINK_CLASS, className)}>
      {props.children}
    </button>
  );
}
