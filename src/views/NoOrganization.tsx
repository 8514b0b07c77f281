import { CommandButton } from '../host/CommandButton.tsx';
import { useText } from '../i18n.ts';
import { StateMessage } from '../ui/StateMessage.tsx';

/** For a newcomer: signed in, but no organization has them yet. Says who can change that. */
export function NoOrganization() {
  const text = useText();
  return (
    <StateMessage title={text('screen.newcomer')} actions={<CommandButton command="me.sign-out" />}>
      {text('screen.newcomerHint')}
    </StateMessage>
  );
}
