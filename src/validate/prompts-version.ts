/** Version of the validators' prompts. Whoever changes a word of them raises it: it is in every log. */
export const VALIDATION_PROMPTS_VERSION = "2";
