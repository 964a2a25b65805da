import { addDevServer } from './dev-server';
import { runProcess } from './process';

/** Temporal's development server alone, on the data folder and with the settings that `npm start` gives it. */
runProcess('temporal', async (part) => {
  const server = await addDevServer(part);
  part.logger.info(
    { address: server.address, ui: server.uiUrl, adopted: server.adopted },
    'Temporal is serving',
  );
});
