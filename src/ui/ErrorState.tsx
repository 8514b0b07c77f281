import { Button } from './Button.tsx';
import type { StateAction } from './EmptyState.tsx';
import { StateMessage } from './StateMessage.tsx';

interface ErrorStateProps {
  /** What failed: "The devices could not be loaded". */
  title: string;
  /** Why, as far as the server said. */
  message: string;
  retry?: StateAction;
}

export function ErrorState({ title, message, retry }: ErrorStateProps) {
  return (
    <StateMessage
      urgent
      title={title}
      actions={
        retry && (
          <Button keys={retry.keys} onClick={retry.run}>
            {retry.label}
          </Button>
        )
      }
    >
      {message}
    </StateMessage>
  );
}
