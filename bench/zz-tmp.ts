import { frameBench } from './frames';
const t = performance.now();
console.log(await frameBench());
console.log(((performance.now()-t)/1000).toFixed(0)+' s');
