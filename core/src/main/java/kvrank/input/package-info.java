/** YAML files as values with positions; problems, suggestions, secrets. */
package kvrank.input;
