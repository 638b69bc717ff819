/**
 * Engine definitions: capabilities, levels of durability, options, and the reader of engine.yaml.
 */
package kvrank.engine;
