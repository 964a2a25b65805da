import { addDevServer } from './dev-server';
import { runProcess } from './process';

/** Runs Temporal's development server alone, with the data folder and the settings that `npm start` uses. */
runProcess('temporal', async (part) => {
  const server = await addDevServer(part);
  part.logger.info(
    { address: server.address, ui: server.uiUrl, adopted: server.adopted },
    'Temporal is serving',
  );
});
