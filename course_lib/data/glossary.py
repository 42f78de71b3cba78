"""A glossary: ideas of sequence models, each in one plain sentence.

Lecture 11 searches it by meaning. The sentences avoid the terms they explain, so that
a search by shared words has little to hold on to.
"""

GLOSSARY = {
    "recurrent network": "It reads one item after the other and carries what it "
    "remembers from step to step.",
    "back-propagation through time": "The error travels from the last step to the "
    "first and adds up what every use of a weight contributes.",
    "vanishing gradient": "A product of many small factors shrinks to nothing, so the "
    "distant past has no influence on learning.",
    "exploding gradient": "A product of many large factors grows without limit, and "
    "one update throws the weights far away.",
    "clipping": "An update that is too long is cut to a fixed length and keeps its "
    "direction.",
    "forget gate": "A number between zero and one decides how much of the old memory "
    "is kept.",
    "language model": "It gives every possible next word a probability.",
    "perplexity": "Among how many equally likely words the model hesitates.",
    "temperature": "A dial that makes sampled text more daring or more cautious.",
    "tokeniser": "It cuts text into pieces that occur often, such as stems and "
    "endings.",
    "word vector": "Each entry of the dictionary is a point in space, and neighbours "
    "are used in similar ways.",
    "melody model": "Notes and bar lines are symbols as well, so a network can write "
    "new tunes.",
    "forecasting": "Tomorrow's value of a series is estimated from its history.",
    "encoder and decoder": "One network reads the English sentence, another writes "
    "the French one.",
    "teacher forcing": "During training the right previous word is given, whatever "
    "the network said.",
    "beam search": "Several unfinished sentences are kept at a time, and the best "
    "ones are extended.",
    "attention": "The reader looks back at all earlier states and weighs them by how "
    "well they fit.",
    "alignment": "A picture of which source word was looked at for each target word.",
    "mask": "Positions that must stay hidden get the weight zero.",
    "heads": "Several small lookups run side by side and are joined afterwards.",
    "positional encoding": "Without it the order of the words would be lost; it says "
    "who stands where.",
    "layer norm": "The entries of a vector are shifted and scaled to mean zero and "
    "spread one.",
    "residual connection": "The input is added to the output, so signals find a short "
    "way through a deep stack.",
    "cache": "Keys and values that were computed once are stored and used again.",
    "quadratic cost": "Twice the length needs four times the memory and the seconds.",
    "pre-training": "The model first reads a great deal of text without labels.",
    "fine-tuning": "Finished weights are trained a little longer, on examples of the "
    "job at hand.",
    "prompt": "The beginning of a text that asks for its continuation.",
    "canary": "A secret is planted in the training data to see if it is recited later.",
    "differential privacy": "Nobody can tell from the result if one person's record "
    "was used.",
    "set": "A collection without any order, such as a cloud of points.",
    "image patches": "A photograph is cut into small squares that are read like words.",
    "Kalman filter": "A moving object is tracked through noisy measurements, exactly.",
    "hidden Markov model": "What we see is produced by states that nobody observes.",
    "variational bound": "A quantity that is easy to compute and never above the true "
    "log-likelihood.",
}
