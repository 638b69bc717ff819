/**
 * YAML files as values with positions; problems, suggestions, secrets, paths that others cannot
 * replace.
 */
package kvrank.input;
