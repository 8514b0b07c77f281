import { Button } from './Button.tsx';
import { StateMessage } from './StateMessage.tsx';

export interface StateAction {
  label: string;
  keys?: string;
  run: () => void;
}

interface EmptyStateProps {
  /** What is not here: "No webhooks yet". */
  title: string;
  hint?: string;
  /** The commands that would fill it. */
  actions?: readonly StateAction[];
}

export function EmptyState({ title, hint, actions = [] }: EmptyStateProps) {
  return (
    <StateMessage
      title={title}
      actions={
        actions.length > 0 &&
        actions.map((action) => (
          <Button key={action.label} keys={action.keys} onClick={action.run}>
            {action.label}
          </Button>
        ))
      }
    >
      {hint}
    </StateMessage>
  );
}
