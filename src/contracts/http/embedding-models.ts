import { z } from 'zod';

export const HUB_NAME = /^\w[\w.-]*(?:\/\w[\w.-]*)?$/;

/** The name of an embedding model on the Hugging Face hub. */
export const hubNameSchema = z
  .string()
  .max(200)
  .regex(HUB_NAME, 'has to be a name of the hub, such as Xenova/all-mpnet-base-v2');
