kočka seděla
na rohoži
