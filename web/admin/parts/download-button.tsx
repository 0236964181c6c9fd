import { useAdmin } from '../client/client-context.ts';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';
import { useAction } from './use-action.ts';

type Props = {
  /** Of the admin API, with its query. */
  readonly path: string;
  readonly file: string;
  readonly label: string;
};

/** Saves what the API answers as a file. */
export function DownloadButton({ path, file, label }: Props) {
  const client = useAdmin();
  const act = useAction(() => undefined);
  const save = async () => saveFile(file, await (await client.open(path)).blob());
  return (
    <button type="button" onClick={() => void act({ work: save, done: `${file} is saved` })}>
      <Icon name="save" /> {label}
    </button>
  );
}
