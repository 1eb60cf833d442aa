import base from "./playwright.config";
export default { ...base, expect: { timeout: 45000 }, timeout: 300000 };
